/** @file What a run records about its Conductor, which writes the run's workflow. */
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
  /** The same in every session, such as `heuristic`, `template:mixture-of-agents` or `endpoint:<worker id>`. */
  readonly id: string;
  readonly label: string;
  readonly kind: ConductorKind;
  /** The model that writes the plan. Absent: the Conductor uses no model. */
  readonly model?: string;
  /** The origin of the Conductor's server. Absent or `null`: the Conductor uses no server. */
  readonly origin?: string | null;
  /**
   * The price of the calls that request plans. Absent or `null`: the price is unknown, or the calls are
   * free because the Conductor uses no server.
   */
  readonly price?: Price | null;
  /** Whether the Conductor receives the images of a question. Absent: no. */
  readonly canSee?: boolean;
}
