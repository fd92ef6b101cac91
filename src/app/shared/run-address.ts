/** @file The addresses of runs and comparisons. Ids are encoded, because imported ids can contain any characters. */

/** `#/runs/<id>`. With a step, the address ends with `?step=<round>.<step>` (0-based), and the page selects that step. */
export function runAddress(id: string, step?: { readonly round: number; readonly step: number }): string {
  return `#/runs/${encoded(id)}${step ? `?step=${step.round}.${step.step}` : ''}`;
}

/** Maximum number of runs that are shown side by side. */
export const MOST_COMPARED = 4;

/** `#/compare?runs=<id>,<id>`. The first run is the base that the others are compared with. */
export function compareAddress(ids: readonly string[]): string {
  return `#/compare?runs=${ids.map(encoded).join(',')}`;
}

/** The ids in the query of a compare address, in order. Empty ids, and ids that can't be decoded, are left out. */
export function comparedIds(query: string | undefined): string[] {
  const value = /(?:^|&)runs=([^&]*)/.exec(query ?? '')?.[1] ?? '';
  return value.split(',').flatMap((part) => {
    const id = decoded(part);
    return id === '' ? [] : [id];
  });
}

function encoded(id: string): string {
  // An unpaired surrogate can't be encoded.
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
