import Foundation

print(Date.now)
