/** @file Updates `models/` from WebLLM's list, and writes a pin for each model. `scripts/models.mjs` starts this file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { modelVersion, prebuiltAppConfig } from '@mlc-ai/web-llm';
import { format } from 'prettier';
import type { ModelManifest } from '../../src/core/contract';
import { manifestSchema } from '../../src/core/contract/model/manifest-schema';
import { differencesOf, draftManifest, updatedManifest } from './listed-model';
import { pinModels } from './pin-model';

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
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  const manifest: ModelManifest = manifestSchema.parse(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')));
  if (manifest.source.kind !== 'prebuilt') continue;
  prebuilt.push(manifest.source.id);
  for (const difference of differencesOf(manifest, list)) console.log(difference);
  await write(`${FOLDER}/${file}`, updatedManifest(manifest, list));
}

mkdirSync(PINS, { recursive: true });
const { problems, isUnreachable } = await pinModels(
  list.filter(({ model_id }) => prebuilt.includes(model_id)),
  (id, pin) => write(`${PINS}/${id}.json`, pin),
);
const unpinned = prebuilt.filter((id) => !existsSync(`${PINS}/${id}.json`));
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  console.error('The manifests are up to date. Some pins are not.');
  if (isUnreachable) console.error('Run “npm run models” again on a machine that can reach the servers.');
  process.exitCode = 1;
}
if (unpinned.length > 0) console.log(`${unpinned.length} models have no pin:\n  ${unpinned.join('\n  ')}`);
