import RoostEngine
import Testing
