/**
 * @file Reads the runs in a replay file. Each run is a `<template>` with gzipped JSON in base64, which is unpacked
 * when the user opens the run. The viewer does not include the schema of events, because the schema is half as
 * large as the viewer. The export has already validated the events, so this module checks only the fields that
 * every event needs.
 */
import {
  IMAGE_TYPES,
  isRecord,
  REPLAY_INDEX,
  REPLAY_RUN,
  type DisagreementPart,
  type ReplayImage,
  type ReplayIndex,
  type ReplayRun,
  type RunSummary,
  type StoredEvent,
} from '../core/contract';

/** Reads the list of runs. Rejects with an `Error` if the file is damaged. */
export async function readIndex(page: Document): Promise<ReplayIndex> {
  const value = await unpack(page.getElementById(REPLAY_INDEX));
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.runs)) throw damaged();
  const runs: RunSummary[] = value.runs.filter(isSummary);
  if (runs.length !== value.runs.length) throw damaged();
  return { version: 1, madeAt: typeof value.madeAt === 'number' ? value.madeAt : Number.NaN, runs };
}

/** Reads a run. Leaves out damaged events and images. Rejects with an `Error` if the run can't be unpacked. */
export async function readRun(page: Document, index: number): Promise<ReplayRun> {
  const value = await unpack(page.querySelectorAll(`template.${REPLAY_RUN}`).item(index));
  if (!isRecord(value) || !Array.isArray(value.events)) throw damaged();
  const images = Array.isArray(value.images) ? value.images.filter(isImage) : [];
  const disagreement = Array.isArray(value.disagreement) ? value.disagreement.filter(isPart) : [];
  return { events: value.events.filter(isEvent), images, disagreement };
}

async function unpack(template: Element | null): Promise<unknown> {
  if (!(template instanceof HTMLTemplateElement)) throw damaged();
  const bytes = fromBase64(template.content.textContent ?? '');
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

interface FromBase64 {
  readonly name: string;
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // Newer browsers have `Uint8Array.fromBase64`, which is several times faster than `atob`.
  const native: FromBase64 = Uint8Array;
  return native.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function damaged(): Error {
  return new Error('This file is damaged. Export it again.');
}

function isEvent(value: unknown): value is StoredEvent {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    typeof value.runId === 'string' &&
    [value.seq, value.at, value.segment, value.elapsed].every((each) => typeof each === 'number')
  );
}

function isPart(value: unknown): value is DisagreementPart {
  return isRecord(value) && typeof value.title === 'string' && Array.isArray(value.items);
}

function isSummary(value: unknown): value is RunSummary {
  return isRecord(value) && typeof value.question === 'string' && Array.isArray(value.glyph);
}

function isImage(value: unknown): value is ReplayImage {
  return (
    isRecord(value) &&
    typeof value.hash === 'string' &&
    IMAGE_TYPES.some((type) => type === value.type) &&
    typeof value.data === 'string' &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(value.data)
  );
}
