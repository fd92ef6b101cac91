/** @file What a run records about its Conductor. */
import type { Price } from '../worker/worker';

export const CONDUCTOR_KINDS = [
  'heuristic',
  'policy',
  'endpoint',
  'webllm',
  'transformers',
  'template',
  'by-hand',
] as const;
export type ConductorKind = (typeof CONDUCTOR_KINDS)[number];

/** What a run remembers of its Conductor. */
export interface ConductorInfo {
  /** Stable: `heuristic`, `template:mixture-of-agents`, `endpoint:<worker id>`, … */
  readonly id: string;
  readonly label: string;
  readonly kind: ConductorKind;
  /** The model that writes, for Conductors that have one. */
  readonly model?: string;
  /** Where the plan is asked for; absent or `null` if nothing leaves the page. */
  readonly origin?: string | null;
  /** What a plan is charged at. Absent or `null`: unknown, or nothing where nothing leaves the page. */
  readonly price?: Price | null;
  /** Whether it is sent the images of a question. Absent: no. */
  readonly canSee?: boolean;
}
