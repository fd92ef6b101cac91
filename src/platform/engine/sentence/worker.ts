/** @file Runs one sentence model in a Web Worker, so that the page stays responsive. */
import { env } from '@huggingface/transformers';
import { FaultError, isUnitVector } from '../../../core/contract';
import type { ModelReport } from '../reports';
import { Progress } from '../transformers/progress';
import { batchesOf } from './batches';
import { machineFault, placelessFault } from './sentence-faults';
import { loadSentenceModel, type LoadedSentenceModel } from './load-model';
import { namedOf, readCommand, type EmbedCommand, type EmbedReport, type LoadCommand } from './messages';

interface Ready {
  readonly model: LoadedSentenceModel;
  readonly command: LoadCommand;
}

let ready: Ready | null = null;

function post(report: ModelReport | EmbedReport, transfer: Transferable[] = []): void {
  self.postMessage(report, { transfer });
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const command = readCommand(data);
  switch (command.type) {
    case 'load':
      void load(command);
      return;
    case 'embed':
      void embed(command);
      return;
    case 'stop':
      // An `embed` call is too short to be worth stopping, so it continues to its end.
      return;
    default:
      command satisfies never;
  }
});

async function load(command: LoadCommand): Promise<void> {
  const progress = new Progress(
    (progress) => post({ type: 'progress', progress }),
    () => performance.now(),
  );
  try {
    const model = await loadSentenceModel(command, progress);
    progress.enter('warming');
    const { numbers } = await place(model, ['Hello']);
    if (!isUnitVector(numbers)) throw new FaultError(placelessFault(namedOf(command)));
    ready = { model, command };
    post({ type: 'loaded', what: `transformers.js ${env.version} ${model.form}` });
  } catch (thrown) {
    post({ type: 'lost', fault: machineFault(thrown, namedOf(command)) });
  }
}

async function embed({ call, texts }: EmbedCommand): Promise<void> {
  if (!ready) throw new Error('No model is loaded.');
  try {
    const { size, numbers } = await place(ready.model, texts);
    post({ type: 'embedded', call, size, numbers }, [numbers.buffer]);
  } catch (thrown) {
    // After an error, the library's state is unknown. The `lost` report makes the page terminate
    // this Web Worker.
    post({ type: 'lost', fault: machineFault(thrown, namedOf(ready.command)) });
  }
}

/** Computes embeddings of unit length. `numbers` concatenates them in the order of the texts. */
async function place({ extract }: LoadedSentenceModel, texts: readonly string[]) {
  let size = 0;
  let numbers = new Float32Array();
  for (const batch of batchesOf(texts)) {
    const placed = await extract(
      batch.map(({ text }) => text),
      { pooling: 'mean', normalize: true },
    );
    const { data } = placed;
    if (!(data instanceof Float32Array)) throw new Error(`The model returned ${placed.type}, not 32-bit floats.`);
    if (size === 0) {
      size = data.length / batch.length;
      numbers = new Float32Array(texts.length * size);
    }
    batch.forEach(({ place }, row) => numbers.set(data.subarray(row * size, (row + 1) * size), place * size));
    placed.dispose();
  }
  return { size, numbers };
}
