/**
 * @file Reads from a model's library (compiled WebAssembly) what it needs: the functions that WebLLM calls, and the parameters
 * (tensors) that the weights must contain. The compiler embeds a description of the model as JSON, which the library returns from
 * its function `_metadata`. This file finds the JSON without running the library, so that a wrong library is rejected before the
 * weights are downloaded.
 */
import * as z from 'zod/mini';
import { parseJson } from '../../../core/contract';
import type { Tensor } from './model-files';
import { MODEL_FUNCTIONS, RUNTIME_EXPORTS, RUNTIME_FUNCTIONS } from './runtime-needs';

const metadataSchema = z.looseObject({
  params: z.array(
    z.looseObject({
      name: z.string(),
      /** A dimension can be a name, such as `vocab_size`. Then any size fits. */
      shape: z.array(z.union([z.number(), z.string()])),
      dtype: z.string(),
    }),
  ),
  /** Present if the library names its functions itself. */
  artifact: z.optional(z.unknown()),
});

export type LibraryMetadata = z.infer<typeof metadataSchema>;

/** A word of the metadata that occurs in no other part of a library. */
const MARK = /"params"\s*:\s*\[/g;
/** Maximum number of marks, and of opening braces before a mark, that are examined. A library has one of each. */
const MOST_TRIES = 20;

/** Why WebLLM can't start a library, as a clause. `null`: no reason was found. Does not examine the imports. */
export function libraryProblem(module: WebAssembly.Module, bytes: Uint8Array): string | null {
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const missing = RUNTIME_EXPORTS.filter((name) => !exported.has(name));
  if (missing.length > 0) return `The library has no ${listed(missing)}.`;
  const text = textOf(bytes);
  const metadata = metadataIn(text);
  if (!metadata) return null;
  const needed = [...RUNTIME_FUNCTIONS, ...(metadata.artifact === undefined ? MODEL_FUNCTIONS : [])];
  const unknown = needed.filter((name) => !text.includes(name));
  return unknown.length > 0 ? `The library has no ${listed(unknown)}.` : null;
}

/** The metadata of a library. `null` if the file contains none. */
export function readMetadata(library: Uint8Array): LibraryMetadata | null {
  return metadataIn(textOf(library));
}

/** How the parameters of a library and the tensors of the weights differ, as a sentence. `null`: the weights fit. */
export function weightsProblem({ params }: LibraryMetadata, tensors: readonly Tensor[]): string | null {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const missing = params.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  if (missing.length > 0) return `The weights have no ${listed(missing)}.`;
  for (const { name, shape, dtype } of params) {
    const tensor = byName.get(name);
    if (!tensor) continue;
    const fits =
      tensor.dtype === dtype &&
      tensor.shape.length === shape.length &&
      shape.every((size, index) => typeof size === 'string' || size === tensor.shape[index]);
    if (!fits)
      return `${name} is ${described(tensor)} in the weights, but the library needs ${described({ shape, dtype })}.`;
  }
  return null;
}

/** Each byte becomes one character, so that offsets and lengths stay the same. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function metadataIn(text: string): LibraryMetadata | null {
  for (const { index } of Array.from(text.matchAll(MARK)).slice(0, MOST_TRIES)) {
    let start = index;
    while (start > 0 && isPrintable(text.charCodeAt(start - 1))) start -= 1;
    let end = index;
    while (end < text.length && isPrintable(text.charCodeAt(end))) end += 1;
    // Other text may surround the JSON, for example the digits of its length.
    const run = text.slice(start, end);
    for (let brace = run.indexOf('{'), tries = 0; brace >= 0 && tries < MOST_TRIES; tries += 1) {
      const json = objectAt(run, brace);
      const { data } = metadataSchema.safeParse(json === null ? null : parseJson(json));
      if (data) return data;
      brace = run.indexOf('{', brace + 1);
    }
  }
  return null;
}

/** The JSON object that starts at a brace. `null` if it does not end. */
function objectAt(text: string, start: number): string | null {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return text.slice(start, start + index + 1);
  }
  return null;
}

function isPrintable(code: number): boolean {
  return (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9;
}

function described({ shape, dtype }: { readonly shape: readonly (number | string)[]; readonly dtype: string }): string {
  return `${shape.join(' × ')} ${dtype}`;
}

const MOST_NAMES = 3;

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
