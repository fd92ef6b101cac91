/** @file What a run remembers of the trained policy. Apart from the policy itself, which comes when the page stands there. */
import type { ConductorInfo } from '../contract';

export const POLICY_INFO: ConductorInfo = {
  id: 'policy',
  label: 'Built in, trained policy',
  kind: 'policy',
  origin: null,
};
