/**
 * @file The Web Worker that a transformers.js model runs in, so that the page is never blocked. Each Web Worker runs one model.
 * After an error of the library, a new Web Worker is needed, because the library keeps failed work in its queues.
 */
import { env } from '@huggingface/transformers';
import { abortError, FaultError, type Fault } from '../../../core/contract';
import type { ServedCall } from '../../serve-calls';
import { Answer, type AnswerOptions } from './answer';
import { deviceLostFault, engineFault, type Named } from '../engine-faults';
import type { GenerateCommand } from '../generate-command';
import { loadModel } from './load-model';
import type { ModelReport, TextReport } from '../reports';
import { serveModel } from '../serve-model';
import { namedOf, readCommand, type LoadCommand } from './messages';
import { Progress } from './progress';

type Ready = Omit<AnswerOptions, 'ontext' | 'onread'>;

serveModel<LoadCommand, GenerateCommand, Ready, TextReport>(self, {
  read: readCommand,
  load,
  use: generate,
  faultOf: (thrown, { named }) => ({ fault: engineFault(thrown, named), isWell: thrown instanceof FaultError }),
});

async function load(command: LoadCommand, report: (report: ModelReport) => void, lose: (because: Fault) => void) {
  const { device } = command;
  const named = namedOf(command);
  const progress = new Progress(
    (progress) => report({ type: 'progress', progress }),
    () => performance.now(),
  );
  try {
    const { form, ...parts } = await loadModel(command, progress);
    const model = { ...parts, named };
    progress.enter('warming');
    await warmUp(model);
    if (device === 'webgpu') void watchDevice(named, lose);
    return { model, what: `transformers.js ${env.version} ${form}` };
  } catch (thrown) {
    throw new FaultError(engineFault(thrown, named));
  }
}

/** Generates a short answer, which compiles the GPU's programs and shows whether the model works. */
async function warmUp(model: Ready): Promise<void> {
  const answer = new Answer({ ...model, ontext: () => undefined, onread: () => undefined });
  await answer.write({
    type: 'generate',
    messages: [{ role: 'user', content: 'Hello' }],
    grammar: null,
    bounds: [],
    temperature: 0,
    maxTokens: 2,
  });
}

async function watchDevice(named: Named, lose: (because: Fault) => void): Promise<void> {
  // The library's types declare a promise. After a model is loaded, the value is the device itself.
  const device = await env.backends.onnx.webgpu?.device;
  if (!device) return;
  const { reason, message } = await device.lost;
  lose(deviceLostFault(named, `${reason}: ${message}`));
}

async function generate(
  model: Ready,
  command: GenerateCommand,
  { signal, report }: Pick<ServedCall<TextReport>, 'signal' | 'report'>,
): Promise<TextReport> {
  const answer = new Answer({
    ...model,
    ontext: (text, usage) => report({ type: 'text', text, usage }),
    onread: (read, total) => report({ type: 'reading', read, total }),
  });
  signal.addEventListener('abort', () => answer.stop());
  const ending = await answer.write(command);
  if (!ending) throw abortError();
  return { type: 'finished', ...ending };
}
