/** @file Adds up the sessions of users from a log. */
import { shuffled, type Random } from '../../../contract';
import type { Definition } from '../definition';
import { drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { NAMES } from '../words';
import { clock } from './clock';

type Line = readonly [minute: number, user: string, event: 'login' | 'logout'];

export interface Log {
  readonly lines: readonly Line[];
}

export const logSessions: Definition<Log> = {
  id: 'log-sessions',
  label: 'Sessions in a log',
  domain: 'data',
  // The number of sessions.
  sizes: [3, 5, 8, 13, 20, 32, 50, 80],
  form: 'list',
  draw: (random, count) =>
    drawUntil(
      () => ({ lines: drawLines(random, count) }),
      (log) => ranked(log)[0]?.[1] !== ranked(log)[1]?.[1],
    ),
  ask: ({ lines }) =>
    `The log below has all logins and logouts of a day, in order. A session lasts from a login to the next logout of the same user. Which user was logged in for the longest time in total, and for how many minutes?\n\n${lines.map(([minute, user, event]) => `${clock(minute)} ${user} ${event}`).join('\n')}`,
  answer: 'the name of the user and the number of minutes, separated by a comma',
  solve: (log) => ranked(log)[0]?.join(', ') ?? '',
  // Each line is assigned to a session.
  steps: ({ lines }) => lines.length,
};

/** Users log in and out at random, until each session has ended. */
function drawLines(random: Random, sessions: number): readonly Line[] {
  const users = sampleOf(NAMES, 2 + Math.ceil(Math.sqrt(sessions)), random);
  const day = repeat(24 * 60, (minute) => minute);
  const minutes = shuffled(day, random)
    .slice(0, 2 * sessions)
    .toSorted((one, other) => one - other);
  const active = new Set<string>();
  let left = sessions;
  return minutes.map((minute, index) => {
    const mustEnd = active.size === minutes.length - index;
    const canStart = left > 0 && active.size < users.length && !mustEnd;
    const isStart = canStart && (active.size === 0 || random() < 0.5);
    const user = pickOf(
      users.filter((each) => active.has(each) !== isStart),
      random,
    );
    if (!isStart) active.delete(user);
    else {
      active.add(user);
      left--;
    }
    return [minute, user, isStart ? 'login' : 'logout'];
  });
}

/** The users and their minutes, longest time first. */
function ranked({ lines }: Log): readonly (readonly [string, number])[] {
  const totals = new Map<string, number>();
  for (const [minute, user, event] of lines) {
    totals.set(user, (totals.get(user) ?? 0) + (event === 'login' ? -minute : minute));
  }
  return [...totals].toSorted(([, one], [, other]) => other - one);
}
