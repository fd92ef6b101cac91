/**
 * @file Tests what is kept, and which calls are repeated, if the tab crashes at each event of a run. The results must match
 * docs/fault-matrix.md. Crashes at random moments are also tested in the built page.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interruptedSentence } from '../../../src/app/conduct/interrupted-words';
import { heldPlan, summarize, type StoredEvent } from '../../../src/core/contract';
import type { LiveRun } from '../../../src/core/runs/live-run';
import { refusal } from '../../fixtures/fault-replies';
import { compareRow } from '../../fixtures/faults/fault-lines';
import { crashAt, CRASHES, DECISIONS, EDITED, SETTLING_STEPS, type CrashRow } from '../../fixtures/faults/fault-rows';
import { ADVICE } from '../../fixtures/faults/fault-table';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { endlessReply, textReply } from '../../fixtures/plans';
import { FaultStage } from './fault-stage';

const ANSWER = 'It is 42.';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

for (const row of CRASHES) {
  const { type, step } = row;
  test(crashAt(row), async () => {
    const isSettled = type === 'step-settled';
    const stage = new FaultStage(server, 'Desk', isSettled ? SETTLING_STEPS : undefined);
    const desk = isSettled ? 'Verdict on response 1: right' : ANSWER;
    const texts = { planner: stage.planned, 'ok@steady': isSettled ? ANSWER : 'Six and seven.', desk } as const;
    const models = ['planner', 'ok@steady', 'desk'] as const;
    const script = (reply: typeof textReply) => models.forEach((model) => server.script(model, reply(texts[model])));
    script(textReply);
    // The reply hangs after its text, so that the delta is the last event before the crash.
    const speaker = type === 'plan-delta' ? 'planner' : type === 'step-delta' ? models[step === 0 ? 1 : 2] : null;
    if (speaker) server.script(speaker, endlessReply(texts[speaker]));
    if (type === 'step-retried') server.script('desk', refusal(500, 'Broken.'));
    const crashed = await crash(stage, row);

    script(textReply);
    const { calls } = stage;
    const isHeld = type === 'plan-held' || type === 'plan-edited';
    const next = stage.tab();
    const record = { fault: crashAt(row), called: 'nothing' };
    if (type === 'run-finished') {
      expect(await next.runs.recover()).toEqual([]);
      expect(await stage.stored(crashed)).toMatchObject({ status: 'finished', answer: ANSWER });
      matchRow({ ...record, read: 'The answer, under Runs.', kept: 'all of it', again: 'nothing' });
      return;
    }
    expect(await next.runs.recover()).toEqual([crashed]);
    const before = await stage.stored(crashed);
    expect(before.status).toBe('interrupted');
    const read = interruptedSentence(summarize(before));
    expect(stage.calls, 'nothing is called automatically').toEqual(calls);

    const [round] = before.rounds;
    const had = [
      round?.plan?.status === 'finished' || round?.plan?.heldFor === 'approval',
      ...[0, 1].map((index) => round?.steps[index]?.status === 'finished'),
    ];
    if (isSettled) expect(round?.steps[2]).toMatchObject({ status: 'settled', output: ANSWER });
    const resumed = await next.runs.resume(crashed);
    if (isHeld) {
      await untilHeld(resumed);
      expect(secondSubtask(resumed)).toBe(type === 'plan-edited' ? EDITED : 'Answer the question.');
      expect(stage.calls, 'nothing is called before the user approves the plan').toEqual(calls);
      resumed.decide({ type: 'approve', round: 0 });
    }
    expect(await resumed.done).toMatchObject({ status: 'finished', answer: ANSWER });
    if (type === 'plan-edited') expect(JSON.stringify(server.calls('desk').at(-1)?.body)).toContain(EDITED);
    const repeated = models.map((model) => stage.calls[model] - calls[model]);
    expect(repeated).toEqual(had.map((each) => (each ? 0 : 1)));
    const names = [type === 'plan-edited' ? 'the plan as it was changed' : 'the plan', 'step 1', 'step 2'];
    const kept = names.filter((_, index) => had[index]);
    const again = names.filter((_, index) => !had[index]);
    matchRow({
      ...record,
      read,
      kept: kept.length === 0 ? 'the question' : `${kept.join(', ')}${isSettled ? ', the settled step 3' : ''}`,
      again: `“Resume”${isHeld ? ' and “Run this plan”' : ''}: ${again.length === 0 ? 'nothing' : again.join(', ')}`,
    });
  });
}

function matchRow(row: Parameters<typeof compareRow>[0]): void {
  const { stored, line } = compareRow(row);
  expect(stored, ADVICE).toBe(line);
}

/** Starts a run, and crashes its tab once the event is stored. No later event is stored. @returns the run's id */
async function crash(stage: FaultStage, { type, step }: CrashRow): Promise<string> {
  const tab = stage.tab();
  const isIt = (event: StoredEvent) =>
    event.type === type && (step === undefined || ('step' in event && event.step === step));
  let isGone = false;
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  stage.store.intercept = (event) => {
    if (isGone) throw new Error('The tab has crashed.');
    if (!isIt(event)) return;
    isGone = true;
    tab.close();
    reach();
  };
  const live = await tab.start({
    approval: DECISIONS.has(type),
    ...(type === 'step-settled' ? { skipSettled: true } : {}),
  });
  if (type === 'plan-edited' || type === 'plan-approved') {
    await untilHeld(live);
    if (type === 'plan-edited') live.decide({ type: 'edit', round: 0, workflow: edited(live) });
    else live.decide({ type: 'approve', round: 0 });
  }
  await reached;
  live.stop();
  await live.done;
  stage.store.intercept = () => undefined;
  return live.id;
}

function untilHeld(live: LiveRun): Promise<void> {
  return new Promise((resolve) => {
    const off = live.subscribe((run) => {
      if (heldPlan(run)) resolve();
    });
    if (heldPlan(live.run)) resolve();
    void live.done.then(() => off());
  });
}

const stepsOfPlan = ({ run }: LiveRun) => run.rounds[0]?.plan?.workflow?.steps ?? [];
const secondSubtask = (live: LiveRun) => stepsOfPlan(live)[1]?.subtask;

function edited(live: LiveRun) {
  return { steps: stepsOfPlan(live).map((step, index) => (index === 1 ? { ...step, subtask: EDITED } : step)) };
}
