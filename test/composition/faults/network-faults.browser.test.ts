/**
 * @file Tests the faults of the fault matrix that need a browser: names that do not resolve, and servers that do not allow the page
 * (CORS). The results must match docs/fault-matrix.md. The command `npm run faults` writes that file.
 */
import { expect, inject, test } from 'vitest';
import { commands } from 'vitest/browser';
import { ROWS } from '../../fixtures/faults/fault-rows';
import { ADVICE, compareLines, TABLE_PATH, withRow } from '../../fixtures/faults/fault-table';
import { FaultStage } from './fault-stage';
import { playRow } from './play-row';

const { origin } = inject('openAiServer');

/** Sets how the server answers calls for a model. */
async function script(model: string, reply: { readonly scenario: string } | { readonly text: string }): Promise<void> {
  const response = await fetch(`${origin}/control/script?${String(new URLSearchParams({ model, ...reply }))}`);
  if (!response.ok) throw new Error(`The server has no scenario ${JSON.stringify(reply)}.`);
}

const server = {
  url: `${origin}/v1`,
  urlOf: (mode: string) => `${origin}/${mode}/v1`,
  release: () => void fetch(`${origin}/control/release`),
};

for (const row of ROWS) {
  const { inBrowser } = row;
  if (inBrowser === undefined) continue;
  test(row.fault, async () => {
    const stage = new FaultStage(server, row.worker ?? 'Desk');
    await script('planner', { text: stage.planned });
    await script('desk', { scenario: inBrowser });
    const played = await playRow(row, stage, { script: (scenario) => script('desk', { scenario }) });
    // Messages name the page’s address, which differs in tests.
    const found = { ...played, read: played.read.replaceAll(location.origin, 'http://127.0.0.1') };
    if (inject('writesFaults'))
      await commands.writeFile(TABLE_PATH, withRow(await commands.readFile(TABLE_PATH), found));
    const { stored, line } = compareLines(await commands.readFile(TABLE_PATH), found);
    expect(stored, ADVICE).toBe(line);
  });
}
