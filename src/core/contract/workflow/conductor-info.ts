/** @file What a run records about its Conductor. */
import type { Price } from '../worker/worker';

export const CONDUCTOR_KINDS = [
  'heuristic',
  'policy',
  'endpoint',
  'webllm',
  'transformers',
  'browser',
  'template',
  'by-hand',
] as const;
export type ConductorKind = (typeof CONDUCTOR_KINDS)[number];

export interface ConductorInfo {
  /** Stable: `heuristic`, `template:mixture-of-agents`, `endpoint:<worker id>`, … */
  readonly id: string;
  readonly label: string;
  readonly kind: ConductorKind;
  /** The model that writes the plan, for Conductors that have a model. */
  readonly model?: string;
  /** The origin of the server that plans are requested from. Absent or `null` if nothing leaves the page. */
  readonly origin?: string | null;
  /** The price of calls for plans. Absent or `null`: the price is unknown. If nothing leaves the page, calls are free. */
  readonly price?: Price | null;
  /** Whether the Conductor receives the images of a question. Absent: no. */
  readonly canSee?: boolean;
}
