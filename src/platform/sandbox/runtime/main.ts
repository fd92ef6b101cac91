/**
 * @file The runtime in the sandbox's Web Worker: loads Python, runs pieces of code and reports the outcome of each. The runtime
 * is bundled into a single file, because code in the sandbox cannot fetch or import anything.
 */
import './module-scope';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import { info } from 'pyodide/pyodide-lock.json';
import { LONGEST_ERROR, type RunOrder, type RuntimeFiles, type RuntimeMessage } from '../protocol';
import driver from './driver.py?raw';
import { dataOf, sliceText } from './early';
import { limitMemory, withhold } from './limits';
import { OutputGate } from './output-gate';

/** The address under which Pyodide requests its files. `load` answers these requests. */
const NOWHERE = 'https://sandbox.invalid/';

addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<RuntimeFiles>) => {
    if (port) void serve(data, port);
  },
  { once: true },
);

async function serve(files: RuntimeFiles, port: MessagePort): Promise<void> {
  // The method is bound, so that the code cannot intercept messages by changing a prototype.
  const send: (message: RuntimeMessage) => void = port.postMessage.bind(port);
  try {
    const python = await load(files);
    const snapshot = files.snapshot ? null : new Blob([new Uint8Array(python.makeMemorySnapshot())]);
    withhold();
    let isFirst = true;
    port.onmessage = (event: MessageEvent<RunOrder>) => {
      const order = dataOf(event);
      if (isFirst) limitMemory(order.memoryLimit);
      isFirst = false;
      void run(python, order, send);
    };
    send({ type: 'ready', ...(snapshot ? { snapshot } : {}) });
  } catch (thrown) {
    send({ type: 'failed', message: String(thrown).slice(0, LONGEST_ERROR) });
  }
}

async function load(files: RuntimeFiles): Promise<PyodideAPI> {
  globalThis.fetch = async (address) => {
    const isProgram = String(address).endsWith('.wasm');
    const headers = { 'content-type': isProgram ? 'application/wasm' : 'application/zip' };
    return new Response(isProgram ? files.wasm : files.standardLibrary, { headers });
  };
  const python = await loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    createPyodideModule,
    // The lock file lists no packages, because packages would have to be fetched.
    lockFileContents: JSON.stringify({ info, packages: {} }),
    env: { NO_COLOR: '1', PYTHONHASHSEED: '0' },
    // The snapshot already contains `driver.py`.
    ...(files.snapshot ? { _loadSnapshot: files.snapshot.arrayBuffer() } : { _makeSnapshot: true }),
  });
  // After a start from the snapshot, Python needs a new seed, because otherwise all rooms would draw the same random numbers.
  python.runPython(files.snapshot ? 'import random\nrandom.seed()\ndel random' : driver);
  return python;
}

async function run(python: PyodideAPI, order: RunOrder, send: (message: RuntimeMessage) => void): Promise<void> {
  const gate = new OutputGate(order.outputLimit, send);
  // With a terminal, Python flushes its output after each line. Without one, Python flushes every 8 kB. That is faster, but
  // the output since the last flush is lost when the code is stopped.
  const isatty = order.isLast;
  python.setStdout({ write: gate.writer('stdout'), isatty });
  python.setStderr({ write: gate.writer('stderr'), isatty });
  let unread = order.stdin === '' ? null : order.stdin;
  python.setStdin({
    stdin: () => {
      const text = unread;
      unread = null;
      return text;
    },
  });
  try {
    // Requests one character more than the limit, so that the gate notices when the value is longer.
    const end = await python.globals.get('run')(order.code, order.outputLimit + 1, !order.isLast);
    // The code may have replaced the functions that return these two values, so the values can have any type.
    const [kind, text]: [unknown, unknown] = [end.get(0), end.get(1)];
    if (kind === 'finished' && typeof text === 'string') gate.write('result', text);
    gate.flush();
    if (gate.isOpen) send(endMessage(kind, text));
  } catch (thrown) {
    gate.flush();
    send({ type: 'error', message: sliceText(`The Python interpreter crashed. ${String(thrown)}`, 0, LONGEST_ERROR) });
  }
}

function endMessage(kind: unknown, text: unknown): RuntimeMessage {
  if (kind === 'finished' || kind === 'memory-limit') return { type: kind };
  return { type: 'error', message: typeof text === 'string' ? sliceText(text, -LONGEST_ERROR) : '' };
}
