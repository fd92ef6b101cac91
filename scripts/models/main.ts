/**
 * @file Updates the manifests in `models/` from WebLLM's list, and pins each model to a commit. For
 * WebLLM's models, writes a pin file with the commit and with the sizes and digests of the model's
 * files. For ONNX models, writes the commit into the manifest. `scripts/models.mjs` starts this
 * file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { modelVersion, prebuiltAppConfig } from '@mlc-ai/web-llm';
import { format } from 'prettier';
import type { ModelManifest, ModelPin } from '../../src/core/contract';
import { manifestSchema } from '../../src/core/contract/model/manifest-schema';
import { modelPinSchema } from '../../src/core/contract/model/model-pin-schema';
import { differencesOf, draftManifest, updatedManifest } from './listed-model';
import { pinHubModels, pinModels } from './pin-model';

const FOLDER = 'models';
const PINS = 'models/pins';
const list = prebuiltAppConfig.model_list;

async function write(path: string, content: object): Promise<void> {
  const text = await format(JSON.stringify(content, null, 2), { parser: 'json', printWidth: 120 });
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
  console.log(`Wrote ${path}.`);
}

console.log(`The installed WebLLM lists ${list.length} models, with libraries of ${modelVersion}.`);
for (const id of process.argv.slice(2)) {
  const path = `${FOLDER}/${id}.json`;
  const draft = draftManifest(id, list);
  if (!draft) throw new Error(`WebLLM doesn’t list ${id}.`);
  if (existsSync(path)) continue;
  await write(path, draft);
  console.log(`Add the download size, largest tensor, licence and description to ${path}. The list doesn’t have them.`);
}

const prebuilt: string[] = [];
/** Manifests of ONNX models, by file name. */
const onHub = new Map<string, ModelManifest>();
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  const manifest: ModelManifest = manifestSchema.parse(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')));
  if (manifest.source.kind === 'hub') onHub.set(file, manifest);
  if (manifest.source.kind !== 'prebuilt') continue;
  prebuilt.push(manifest.source.id);
  for (const difference of differencesOf(manifest, list)) console.log(difference);
  await write(`${FOLDER}/${file}`, updatedManifest(manifest, list));
}

async function keepOnHub(manifest: ModelManifest): Promise<void> {
  for (const [file, { id }] of onHub) {
    if (id !== manifest.id) continue;
    await write(`${FOLDER}/${file}`, manifest);
    onHub.set(file, manifest);
  }
}

function pinOf(id: string): ModelPin | null {
  const path = `${PINS}/${id}.json`;
  return existsSync(path) ? modelPinSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

mkdirSync(PINS, { recursive: true });
const pinned = await pinModels(
  list.filter(({ model_id }) => prebuilt.includes(model_id)),
  { of: pinOf, keep: (id, pin) => write(`${PINS}/${id}.json`, pin) },
);
const pinnedOnHub = pinned.isUnreachable ? null : await pinHubModels([...onHub.values()], keepOnHub);
const moved = [...pinned.moved, ...(pinnedOnHub?.moved ?? [])];
if (moved.length > 0) console.log(`Pins with another commit than before:\n  ${moved.join('\n  ')}`);
const problems = [...pinned.problems, ...(pinnedOnHub?.problems ?? [])];
const isUnreachable = pinned.isUnreachable || pinnedOnHub?.isUnreachable;
const unpinned = [
  ...prebuilt.filter((id) => !existsSync(`${PINS}/${id}.json`)),
  ...[...onHub.values()].flatMap(({ source }) =>
    source.kind === 'hub' && source.revision === null ? [source.id] : [],
  ),
];
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  console.error('The manifests are up to date. Some pins are not.');
  if (isUnreachable) console.error('Run “npm run models” again on a machine that can reach the servers.');
  process.exitCode = 1;
}
if (unpinned.length > 0) console.log(`${unpinned.length} models have no pin:\n  ${unpinned.join('\n  ')}`);
