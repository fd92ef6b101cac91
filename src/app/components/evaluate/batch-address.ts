/** @file The address of a batch's page. Ids are encoded, because imported ids can contain any characters. */

export function batchAddress(id: string): string {
  // An unpaired surrogate can't be encoded.
  return `#/evaluate/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '�'))}`;
}
