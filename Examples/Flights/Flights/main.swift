import FlightsData
import Recount

let answers = try recount(FlightsFolder(path: CommandLine.arguments[2]))
print(answers.json)
