#!/usr/bin/env python3
"""Runs a program in a terminal of its own, and writes the screens that it showed, one after the other, as a moving SVG.

usage: terminal-picture.py FILE PROGRAM [ARGUMENT ...]

A screen begins where the program clears it; of the escape sequences, bold text is understood. Colours follow the page's,
light or dark, and whoever asks for less motion sees the last screen alone.
"""
import os
import pty
import re
import sys
from xml.sax.saxutils import escape

SECONDS, CHARACTER, LINE, MARGIN = 1.6, 8.4, 19, 14
CLEAR = "\x1b[2J\x1b[H"

STYLE = """text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
.bold { font-weight: 700; fill: #0550ae }
.back { fill: #f6f8fa; stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .bold { fill: #79c0ff } .back { fill: #151b23; stroke: #3d444d }
}
.screen { opacity: 0; animation: show %(all).1fs infinite step-end }
@keyframes show { 0%% { opacity: 1 } %(share).3f%% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .screen { animation: none } .last { opacity: 1 } }"""


def output(command):
    """What a program writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    data = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # so Linux tells that the other end was closed
            break
        if not part:
            break
        data += part
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed:\n{data.decode(errors='replace')}")
    return data.decode().replace("\r\n", "\n")


def line_of_text(line, number):
    spans = []
    for bold, text in re.findall(r"(\x1b\[1m)?([^\x1b]+)(?:\x1b\[0m)?", line):
        kind = ' class="bold"' if bold else ""
        spans.append(f"<tspan{kind}>{escape(text)}</tspan>")
    y = MARGIN + LINE * (number + 0.75)
    return f'<text x="{MARGIN}" y="{y:g}" xml:space="preserve">{"".join(spans)}</text>'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    screens = [text.rstrip().split("\n") for text in output(sys.argv[2:]).split(CLEAR)[1:]]
    if not screens:
        sys.exit("The program cleared no screen.")
    plain = [re.sub(r"\x1b\[\dm", "", line) for screen in screens for line in screen]
    width = round(max(map(len, plain)) * CHARACTER + 2 * MARGIN)
    height = max(map(len, screens)) * LINE + 2 * MARGIN
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
              f'height="{height}" role="img">', file=file)
        print("<title>A list in a terminal that follows its store, change by change</title>", file=file)
        print("<style>", file=file)
        print(STYLE % {"all": SECONDS * len(screens), "share": 100 / len(screens)}, file=file)
        print("</style>", file=file)
        print(f'<rect class="back" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="6"/>', file=file)
        for number, screen in enumerate(screens):
            last = " last" if number == len(screens) - 1 else ""
            print(f'<g class="screen{last}" style="animation-delay: {number * SECONDS - SECONDS * len(screens):.1f}s">',
                  file=file)
            for place, line in enumerate(screen):
                if line:
                    print(line_of_text(line, place), file=file)
            print("</g>", file=file)
        print("</svg>", file=file)


if __name__ == "__main__":
    main()
