/** @file The address of a batch's page. Ids are encoded, because an imported id can contain any character. */

export function batchAddress(id: string): string {
  // `encodeURIComponent` throws if the id has an unpaired surrogate.
  return `#/evaluate/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '�'))}`;
}
