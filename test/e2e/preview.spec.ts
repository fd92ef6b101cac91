import { expect, test, type Podium } from './podium';

/** Number puzzles for which the trained policy would request a second round if that were allowed. */
const PUZZLES = [
  'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.',
  'Use 9, 100, 9 and 1, each at most once, with + − × ÷ to reach 891.',
  'Use 10, 9, 50 and 75, each at most once, with + − × ÷ to reach 491.',
  'Use 2, 4, 25 and 4, each at most once, with + − × ÷ to reach 600.',
  'Use 5, 9, 100, 1 and 25, each at most once, with + − × ÷ to reach 370.',
];

test('runs exactly the previewed plan, with recursion on and a limit of one round', async ({ page, podium }) => {
  await podium.open('/#/settings');
  await page.getByRole('group', { name: 'Recursion' }).getByLabel('On').check({ force: true });
  await page.getByLabel('Rounds', { exact: true }).fill('1');
  await page.getByLabel('Rounds', { exact: true }).press('Tab');
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.conductor.selectOption('policy');
  const planned = podium.workflow.getByRole('img', { name: /^Step \d, / });
  for (const puzzle of PUZZLES) {
    // Without a question no plan is shown, so the next plan that appears belongs to this puzzle.
    await podium.question.fill('');
    await expect(planned).toHaveCount(0);
    await podium.question.fill(puzzle);
    await expect(planned.first()).toBeVisible();
    const shown = (await planned.evaluateAll((notes) => notes.map((note) => note.getAttribute('aria-label')))).map(
      partOf,
    );
    expect(shown.length).toBeGreaterThan(0);
    await podium.run.click();
    await expect.poll(() => stepsThatRun(podium), puzzle).toEqual(shown);
    await podium.stop.click();
    await expect(podium.run).toBeEnabled();
  }
});

async function stepsThatRun({ workflow }: Podium): Promise<string[]> {
  const steps = workflow.getByRole('link', { name: /^Step \d, / });
  return (await steps.allTextContents()).map(partOf);
}

/** The part of a step's name that stays the same while the step runs: number, role and worker. */
function partOf(name: string | null): string {
  return /^Step \d+, [^,]+, [^,]+/.exec(name ?? '')?.[0] ?? '';
}
