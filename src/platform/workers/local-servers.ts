/**
 * @file Looks for servers on this computer at the usual addresses of Ollama, LM Studio, llama.cpp and others. Only the user starts
 * this, because the browser may ask whether the page may reach the local network, and because each look is a request.
 */
import {
  FaultError,
  LEARNED_LIMITS,
  type ListedModel,
  type LocalServer,
  type ProviderPreset,
} from '../../core/contract';
import type { Fetch } from './guarded-fetch';
import { pageState } from './page-state';
import { PROVIDERS } from './providers';
import { isThere } from './silence';
import { hostOf, isThisMachine, type Target } from './target';
import { allowThisPage } from './worker-faults';

type List = (target: Target, signal: AbortSignal) => Promise<readonly ListedModel[]>;

interface Parts {
  readonly list: List;
  readonly fetch?: Fetch;
  /** The servers to look for. Default: the presets of servers on this machine. */
  readonly presets?: readonly ProviderPreset[];
}

/** Sends no key. @returns the servers that answered, in the order of the presets. Rejects only on abort */
export async function findLocalServers(
  { list, fetch: inner = (url, init) => fetch(url, init), presets = PROVIDERS }: Parts,
  signal: AbortSignal,
): Promise<readonly LocalServer[]> {
  const local = presets.filter(({ place, baseUrl }) => place === 'own' && isThisMachine(baseUrl));
  const found = await Promise.all(local.map((preset) => look(preset, list, inner, signal)));
  return found.filter((server) => server !== null);
}

async function look(
  preset: ProviderPreset,
  list: List,
  inner: Fetch,
  signal: AbortSignal,
): Promise<LocalServer | null> {
  const { id: provider, label, baseUrl } = preset;
  const target: Target = {
    name: label,
    baseUrl,
    model: '',
    key: null,
    preset,
    reasoning: null,
    limits: LEARNED_LIMITS,
  };
  try {
    const models = (await list(target, signal)).length;
    return { provider, baseUrl, state: 'open', models, advice: '' };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof FaultError)) throw thrown;
    const { code } = thrown.fault;
    if (code === 'unauthorized') return { provider, baseUrl, state: 'locked', models: 0, advice: 'It needs a key.' };
    // Another program may use the port: it answers, but not with a list of models.
    if (code !== 'unreachable' && code !== 'forbidden') return null;
    // A page can't tell a server that refuses it from no server. A request without CORS succeeds only if there is a server.
    if (code === 'unreachable' && !(await isThere(target, inner, signal))) return null;
    const advice = `${hostOf(baseUrl)} answers, but refuses this page. ${allowThisPage(target, pageState().origin)}`;
    return { provider, baseUrl, state: 'closed', models: 0, advice };
  }
}
