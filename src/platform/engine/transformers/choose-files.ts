/**
 * @file Chooses the numeric format of a model's weights: the best one that the model offers and
 * this machine supports.
 */
import { ModelRegistry, type AutoConfig } from '@huggingface/transformers';
import { fault, FaultError } from '../../../core/contract';
import type { Named } from '../engine-faults';
import type { FoundFile, ModelFiles } from './files';

/** Numeric formats of weights, with the names that transformers.js uses. */
export type NumericForm = 'q4f16' | 'q4' | 'q8' | 'fp16' | 'fp32';

export interface Machine {
  readonly device: 'webgpu' | 'wasm';
  /** Whether the GPU supports half precision. */
  readonly half: boolean;
}

/**
 * The formats for a machine, the preferred format first. 8-bit weights are used only on the CPU.
 * Half precision is used only on a GPU that supports it.
 */
function formsFor({ device, half }: Machine): readonly NumericForm[] {
  if (device === 'wasm') return ['q8', 'q4', 'fp32'];
  return half ? ['q4f16', 'q4', 'fp16', 'fp32'] : ['q4', 'fp32'];
}

export interface ChosenFiles {
  readonly form: NumericForm;
  /** All files of the format: the graphs, and the files with separate weights. */
  readonly weights: readonly (FoundFile & { readonly path: string })[];
}

type Config = Awaited<ReturnType<typeof AutoConfig.from_pretrained>>;

/**
 * Throws a `FaultError` (`not-found`) if the model offers no suitable format, or if a file of the
 * format is missing.
 */
export async function chooseFiles(
  files: ModelFiles,
  { id, config }: { readonly id: string; readonly config: Config },
  machine: Machine,
  named: Named,
): Promise<ChosenFiles> {
  const forms = await Promise.all(
    formsFor(machine).map(async (form) => ({ form, paths: await weightsOf(id, config, form, machine) })),
  );
  const graphs = await firstOffered(files, forms);
  if (!graphs) throw new FaultError(noForm(machine, named));
  const weights = await Promise.all(graphs.paths.map(async (path) => ({ path, found: await files.find(path) })));
  return {
    form: graphs.form,
    weights: weights.map(({ path, found }) => {
      if (!found) throw new FaultError(missingPart(path, named));
      return { path, ...found };
    }),
  };
}

async function weightsOf(id: string, config: Config, form: NumericForm, { device }: Machine): Promise<string[]> {
  const paths = await ModelRegistry.get_model_files(id, { config, dtype: form, device });
  return paths.filter((path) => path.startsWith('onnx/'));
}

interface Form {
  readonly form: NumericForm;
  readonly paths: readonly string[];
}

/**
 * The first format that the model offers. A format whose graphs (`.onnx` files) are on this machine
 * takes precedence, because its download has begun. Offline, only such a format can be found.
 */
async function firstOffered(files: ModelFiles, forms: readonly Form[]): Promise<Form | null> {
  for (const form of forms) if (await has(form, async (path) => (await files.open(path)) !== null)) return form;
  for (const form of forms) if (await has(form, async (path) => (await files.find(path)) !== null)) return form;
  return null;
}

/**
 * Whether all graphs of a format pass a test. Separate files with the weights of a graph are not
 * tested.
 */
async function has({ paths }: Form, test: (path: string) => Promise<boolean>): Promise<boolean> {
  const graphs = paths.filter((path) => path.endsWith('.onnx'));
  if (graphs.length === 0) return false;
  for (const path of graphs) if (!(await test(path))) return false;
  return true;
}

function noForm(machine: Machine, { label, host }: Named) {
  const wanted = formsFor(machine).join(', ');
  const where = host === null ? 'The folder' : host;
  const message = `${where} has no ONNX files of ${label} that run on this device (${wanted}). Choose a model whose onnx folder has one of them.`;
  return fault('not-found', message);
}

function missingPart(path: string, { label, host }: Named) {
  const where = host === null ? 'the folder' : host;
  const message = `${label} is incomplete: ${where} has no ${path}. Choose another model.`;
  return fault('not-found', message);
}
