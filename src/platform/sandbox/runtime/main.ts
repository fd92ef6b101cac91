/**
 * @file Runs inside the sandbox's worker: loads Python once, runs one piece of code, says how it ended. It is bundled into a
 * single file, since nothing in there may fetch or import anything.
 */
import './module-scope';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import { info } from 'pyodide/pyodide-lock.json';
import { LONGEST_ERROR, type RunOrder, type RuntimeFiles, type RuntimeMessage } from '../protocol';
import driver from './driver.py?raw';
import { sliceText } from './early';
import { limitMemory, withhold } from './limits';
import { OutputGate } from './output-gate';

/** Pyodide asks for its files by name; this is where it believes they are. */
const NOWHERE = 'https://sandbox.invalid/';

addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<RuntimeFiles>) => {
    if (port) void serve(data, port);
  },
  { once: true },
);

async function serve(files: RuntimeFiles, port: MessagePort): Promise<void> {
  // Bound, so that the code cannot put itself between by changing a prototype.
  const send: (message: RuntimeMessage) => void = port.postMessage.bind(port);
  try {
    const python = await load(files);
    withhold();
    port.onmessage = ({ data }: MessageEvent<RunOrder>) => {
      port.onmessage = null;
      void run(python, data, send);
    };
    send({ type: 'ready' });
  } catch (thrown) {
    send({ type: 'failed', message: String(thrown).slice(0, LONGEST_ERROR) });
  }
}

async function load(files: RuntimeFiles): Promise<PyodideAPI> {
  const { fetch } = globalThis;
  globalThis.fetch = async (address) => {
    const isProgram = String(address).endsWith('.wasm');
    const headers = { 'content-type': isProgram ? 'application/wasm' : 'application/zip' };
    return new Response(isProgram ? files.wasm : files.standardLibrary, { headers });
  };
  const python = await loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    createPyodideModule,
    // No packages: they would have to be fetched.
    lockFileContents: JSON.stringify({ info, packages: {} }),
    env: { NO_COLOR: '1', PYTHONHASHSEED: '0' },
  });
  globalThis.fetch = fetch;
  python.runPython(driver);
  return python;
}

async function run(python: PyodideAPI, order: RunOrder, send: (message: RuntimeMessage) => void): Promise<void> {
  const gate = new OutputGate(order.outputLimit, send);
  // A terminal gets each line as it is printed; anything else gets 8 kB at a time, and what a killed program had not filled is lost.
  python.setStdout({ write: gate.writer('stdout'), isatty: true });
  python.setStderr({ write: gate.writer('stderr'), isatty: true });
  let unread = order.stdin === '' ? null : order.stdin;
  python.setStdin({
    stdin: () => {
      const text = unread;
      unread = null;
      return text;
    },
  });
  limitMemory(order.memoryLimit);
  try {
    // One character more than fits, so that the gate notices a value that was cut.
    const end = await python.globals.get('run')(order.code, order.outputLimit + 1);
    // The code may have replaced what returns these; anything may have come of it.
    const [kind, text]: [unknown, unknown] = [end.get(0), end.get(1)];
    if (kind === 'finished' && typeof text === 'string') gate.write('result', text);
    gate.flush();
    if (gate.isOpen) send(endMessage(kind, text));
  } catch (thrown) {
    gate.flush();
    send({ type: 'error', message: sliceText(`Python itself broke down. ${String(thrown)}`, 0, LONGEST_ERROR) });
  }
}

function endMessage(kind: unknown, text: unknown): RuntimeMessage {
  if (kind === 'finished' || kind === 'memory-limit') return { type: kind };
  return { type: 'error', message: typeof text === 'string' ? sliceText(text, -LONGEST_ERROR) : '' };
}
