/**
 * @file Which of a model's files are needed here: the ones in the best numeric form that both model and machine have.
 */
import { ModelRegistry, type AutoConfig } from '@huggingface/transformers';
import { fault, FaultError } from '../../../core/contract';
import type { Named } from '../engine-faults';
import type { FoundFile, ModelFiles } from './files';

/** Forms of the weights, as transformers.js names them. */
export type NumericForm = 'q4f16' | 'q4' | 'q8' | 'fp16' | 'fp32';

export interface Machine {
  readonly device: 'webgpu' | 'wasm';
  readonly half: boolean;
}

/** Small and quick first. 8-bit weights run on the processor only; half precision only on GPUs that have it. */
function formsFor({ device, half }: Machine): readonly NumericForm[] {
  if (device === 'wasm') return ['q8', 'q4', 'fp32'];
  return half ? ['q4f16', 'q4', 'fp16', 'fp32'] : ['q4', 'fp32'];
}

export interface ChosenFiles {
  readonly form: NumericForm;
  /** Every file with weights in it. */
  readonly weights: readonly (FoundFile & { readonly path: string })[];
}

type Config = Awaited<ReturnType<typeof AutoConfig.from_pretrained>>;

/** Throws a `FaultError` (`not-found`) where no form fits or a part of one is missing. */
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

/** One that is here already is taken before any other is asked for: its download has begun, and offline it is all there is. */
async function firstOffered(files: ModelFiles, forms: readonly Form[]): Promise<Form | null> {
  for (const form of forms) if (await has(form, async (path) => (await files.open(path)) !== null)) return form;
  for (const form of forms) if (await has(form, async (path) => (await files.find(path)) !== null)) return form;
  return null;
}

/** A form is told by its graphs; the weights beside them may come later or be missing. */
async function has({ paths }: Form, test: (path: string) => Promise<boolean>): Promise<boolean> {
  const graphs = paths.filter((path) => path.endsWith('.onnx'));
  if (graphs.length === 0) return false;
  for (const path of graphs) if (!(await test(path))) return false;
  return true;
}

function noForm(machine: Machine, { label, host }: Named) {
  const wanted = formsFor(machine).join(', ');
  const where = host === null ? 'The folder' : host;
  const message = `${where} has no ONNX files of ${label} that run here (${wanted}). Choose a model that has an onnx folder with one of them.`;
  return fault('not-found', message);
}

function missingPart(path: string, { label, host }: Named) {
  const where = host === null ? 'the folder' : host;
  const message = `A part of ${label} is missing: ${where} has no ${path}. The model is incomplete there; choose another one.`;
  return fault('not-found', message);
}
