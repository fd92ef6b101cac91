/** @file The address of a saved run's page. Ids are encoded, because imported ids can contain any characters. */

/** `#/runs/<id>`, with the step to select if one is given. */
export function runAddress(id: string, step?: { readonly round: number; readonly step: number }): string {
  // An unpaired surrogate can't be encoded.
  const encoded = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
  return `#/runs/${encoded}${step ? `?step=${step.round}.${step.step}` : ''}`;
}
