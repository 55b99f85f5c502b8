import Roost
import Testing
