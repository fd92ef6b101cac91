/** @file Runs one sentence model in a Web Worker, so that the page stays responsive. */
import { env } from '@huggingface/transformers';
import { FaultError, isUnitVector } from '../../../core/contract';
import type { Named } from '../engine-faults';
import type { ModelReport } from '../reports';
import { serveModel } from '../serve-model';
import { Progress } from '../transformers/progress';
import { batchesOf } from './batches';
import { machineFault, placelessFault } from './sentence-faults';
import { loadSentenceModel, type LoadedSentenceModel } from './load-model';
import { namedOf, readCommand, type EmbedCommand, type EmbedReport, type LoadCommand } from './messages';

interface Ready extends LoadedSentenceModel {
  readonly named: Named;
}

serveModel<LoadCommand, EmbedCommand, Ready, EmbedReport>(self, {
  read: readCommand,
  load,
  // An `embed` call is too short to be worth stopping, so it continues to its end.
  use: async (model, { texts }) => ({ type: 'embedded', ...(await place(model, texts)) }),
  // After an error, the library's state is unknown.
  faultOf: (thrown, { named }) => ({ fault: machineFault(thrown, named), isWell: false }),
});

async function load(command: LoadCommand, report: (report: ModelReport) => void) {
  const named = namedOf(command);
  const progress = new Progress(
    (progress) => report({ type: 'progress', progress }),
    () => performance.now(),
  );
  try {
    const model = { ...(await loadSentenceModel(command, progress)), named };
    progress.enter('warming');
    const { numbers } = await place(model, ['Hello']);
    if (!isUnitVector(numbers)) throw new FaultError(placelessFault(named));
    return { model, what: `transformers.js ${env.version} ${model.form}` };
  } catch (thrown) {
    throw new FaultError(machineFault(thrown, named));
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
