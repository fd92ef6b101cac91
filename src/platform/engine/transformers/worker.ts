/**
 * @file The Web Worker that a transformers.js model runs in, so that the page is never blocked. Each Web Worker runs one model.
 * After an error of the library, a new Web Worker is needed, because the library keeps failed work in its queues.
 */
import { env } from '@huggingface/transformers';
import { FaultError } from '../../../core/contract';
import { Answer, type AnswerOptions } from './answer';
import { deviceLostFault, engineFault, type Named } from '../engine-faults';
import type { GenerateCommand } from '../generate-command';
import { loadModel } from './load-model';
import type { ModelReport, TextReport } from '../reports';
import { namedOf, readCommand, type LoadCommand } from './messages';
import { Progress } from './progress';

type Ready = Omit<AnswerOptions, 'ontext' | 'onread'>;

let ready: Ready | null = null;
/** The call in progress. The page sends the next call only after this call has ended. */
let current: { readonly call: number; readonly answer: Answer } | null = null;

function post(report: ModelReport | TextReport): void {
  self.postMessage(report);
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const command = readCommand(data);
  switch (command.type) {
    case 'load':
      void load(command);
      return;
    case 'generate':
      void generate(command);
      return;
    case 'stop':
      if (current?.call === command.call) current.answer.stop();
      return;
    default:
      command satisfies never;
  }
});

async function load(command: LoadCommand): Promise<void> {
  const { device } = command;
  const named = namedOf(command);
  const progress = new Progress(
    (progress) => post({ type: 'progress', progress }),
    () => performance.now(),
  );
  try {
    const { form, ...parts } = await loadModel(command, progress);
    ready = { ...parts, named };
    progress.enter('warming');
    await warmUp(ready);
    if (device === 'webgpu') void watchDevice(named);
    post({ type: 'loaded', what: `transformers.js ${env.version} ${form}` });
  } catch (thrown) {
    post({ type: 'lost', fault: engineFault(thrown, named) });
  }
}

/** Generates a short answer, which compiles the GPU's programs and shows whether the model works. */
async function warmUp(model: Ready): Promise<void> {
  const answer = new Answer({ ...model, ontext: () => undefined, onread: () => undefined });
  await answer.write({
    type: 'generate',
    call: -1,
    messages: [{ role: 'user', content: 'Hello' }],
    grammar: null,
    bounds: [],
    temperature: 0,
    maxTokens: 2,
  });
}

async function watchDevice(named: Named): Promise<void> {
  // The library's types declare a promise. After a model is loaded, the value is the device itself.
  const device = await env.backends.onnx.webgpu?.device;
  if (!device) return;
  const { reason, message } = await device.lost;
  post({ type: 'lost', fault: deviceLostFault(named, `${reason}: ${message}`) });
}

async function generate(command: GenerateCommand): Promise<void> {
  const { call } = command;
  if (!ready) throw new Error('No model is loaded.');
  const answer = new Answer({
    ...ready,
    ontext: (text, usage) => post({ type: 'text', call, text, usage }),
    onread: (read, total) => post({ type: 'reading', call, read, total }),
  });
  current = { call, answer };
  try {
    const ending = await answer.write(command);
    current = null;
    post(ending ? { type: 'finished', call, ...ending } : { type: 'stopped', call });
  } catch (thrown) {
    current = null;
    const failure = engineFault(thrown, ready.named);
    post(thrown instanceof FaultError ? { type: 'failed', call, fault: failure } : { type: 'lost', fault: failure });
  }
}
