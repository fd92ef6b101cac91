/** @file The part of a page or a document that shows where answers disagree, as texts. Replay files contain it in this form. */

export interface DisagreementPart {
  readonly title: string;
  /** One statement each. They may quote what models have written. */
  readonly items: readonly string[];
}
