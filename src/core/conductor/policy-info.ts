/**
 * @file The information that a run records about the trained policy. This file is separate, because the policy itself is loaded
 * only after the first paint.
 */
import type { ConductorInfo } from '../contract';

export const POLICY_INFO: ConductorInfo = {
  id: 'policy',
  label: 'Built in, trained policy',
  kind: 'policy',
  origin: null,
};
