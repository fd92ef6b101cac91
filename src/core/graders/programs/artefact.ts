/** @file Checks and edits programs before they run, in the same way as the published code of arXiv 2512.04388. */

/**
 * The published grader of LiveCodeBench refuses to run a program that contains one of these texts, in upper or lower case. It
 * also refuses if the text is in a comment or part of a longer name.
 */
const REFUSED: readonly string[] = [
  ...['threading.', 'thread(', '_thread.', 'concurrent.futures', 'multiprocessing.', 'asyncio.', 'async def', 'await '],
  ...['kill', 'system', 'putenv', 'remove', 'rmdir', 'fchdir', 'setuid', 'fork', 'rename', 'truncate', 'replace'].map(
    (name) => `os.${name}`,
  ),
  ...['unlink', 'fchmod', 'fchown', 'chmod', 'chown', 'chroot', 'lchflags', 'lchmod', 'lchown', 'getcwd', 'chdir'].map(
    (name) => `os.${name}`,
  ),
  ...['shutil.rmtree', 'shutil.move', 'shutil.chown', 'subprocess.popen', 'subprocess.call', 'subprocess.run'],
  ...['os', 'subprocess', 'shutil', 'resource', 'psutil', 'tkinter', 'joblib', 'ipdb'].flatMap((name) => [
    `import ${name}`,
    `from ${name} import`,
  ]),
  ...['socket.', 'urllib.', 'requests.', 'http.', 'ftplib.', 'smtplib.'],
  ...['quit()', 'exit()', 'eval(', 'exec(', 'compile(', '__import__', 'globals(', 'locals(', 'vars(', 'dir('],
];

/** The published code accepts a line with `open(` if the line contains one of these texts. */
const READING = ['"r"', "'r'", 'sys.stdin'];

/** The first forbidden text in a program. `null`: the published grader of LiveCodeBench would run the program. */
export function refusedText(program: string): string | null {
  const lower = program.toLowerCase();
  return REFUSED.find((text) => lower.includes(text)) ?? (lower.split('\n').some(opensFile) ? 'open(' : null);
}

function opensFile(line: string): boolean {
  return line.includes('open(') && !line.trimStart().startsWith('#') && !READING.some((text) => line.includes(text));
}

const COMMENTED_OUT = [
  ...['exec(', 'eval(', '__import__(', 'input(', 'raw_input(', 'os.system(', 'os.popen('],
  ...['import sys', 'from sys import'],
];

/** Comments out the lines that the published grader of BigCodeBench comments out. */
export function commentOut(program: string): string {
  const isOut = (line: string) => COMMENTED_OUT.some((text) => line.toLowerCase().includes(text));
  const lines = program.split('\n').map((line) => (isOut(line) ? `# ${line}` : line));
  return lines.join('\n');
}
