/** @file The address of a saved run's page. Ids from files may hold anything, so they are encoded. */

/** `#/runs/<id>`, with a step to select where one is given. */
export function runAddress(id: string, step?: { readonly round: number; readonly step: number }): string {
  // Half of a surrogate pair cannot be encoded.
  const encoded = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'));
  return `#/runs/${encoded}${step ? `?step=${step.round}.${step.step}` : ''}`;
}
