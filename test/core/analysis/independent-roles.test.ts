import { describe, expect, it } from 'vitest';
import { checkWorkflow, CONDUCTOR_MAX_STEPS, ROLES } from '../../../src/core/contract';
import { INDEPENDENT_WORKFLOWS } from '../../fixtures/labelled-workflows';
import { printScore, scoreRoles } from '../../fixtures/role-scores';

const ALL = INDEPENDENT_WORKFLOWS.map(({ steps }) => steps);
/** The half of the workflows that was used to tune the rules. The other half (`SCORED`) measures the rules. */
const TUNED = ALL.filter((_, index) => index % 2 === 0);
const SCORED = ALL.filter((_, index) => index % 2 === 1);

describe('independently labeled workflows', () => {
  it('are valid, and contain more than 15 steps of each role', () => {
    for (const { question, steps } of INDEPENDENT_WORKFLOWS) {
      expect(checkWorkflow({ steps }, { poolSize: 5, maxSteps: CONDUCTOR_MAX_STEPS }), question).toBeNull();
    }
    for (const role of ROLES) expect(ALL.flat().filter((step) => step.role === role).length).toBeGreaterThan(15);
  });

  // Number of correctly recognized roles, first by wording and position, then by wording alone:
  // - all 262 roles, before tuning: 193 (95 % interval 68 to 79 %) and 175
  // - the 132 roles of this half, before tuning: 99 and 90
  // - the 132 roles of this half, after tuning: 106 and 96
  // The same author wrote the workflows and tuned the rules, so only the figures from before tuning are
  // unbiased.
  it('in the scored half get at least 102 of 132 right roles, or 92 if positions are ignored', () => {
    const [placed, bare] = [scoreRoles(SCORED, true), scoreRoles(SCORED, false)];
    printScore('Independent set, scored half, wording and place', placed);
    printScore('Independent set, scored half, wording alone', bare);
    expect(placed.right).toBeGreaterThanOrEqual(102);
    expect(bare.right).toBeGreaterThanOrEqual(92);
  });

  it('in the tuned half get at least 115 of 130 right roles', () => {
    const tuned = scoreRoles(TUNED, true);
    printScore('Independent set, tuned half, wording and place', tuned);
    expect(tuned.right).toBeGreaterThanOrEqual(115);
  });
});
