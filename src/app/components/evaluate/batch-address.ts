/** @file The address of a batch's page. Ids are encoded, since ids from files may contain anything. */

export function batchAddress(id: string): string {
  // An unpaired surrogate can't be encoded.
  return `#/evaluate/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '�'))}`;
}
