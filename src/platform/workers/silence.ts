/**
 * @file Finds out why no reply could be read. A page can't distinguish three cases: no server responds, the server rejects
 * calls from web pages, or the server rejects the key without CORS headers. A second request shows whether a server responds.
 */
import { fault, type Fault } from '../../core/contract';
import { allowThisPage } from './worker-faults';
import type { Fetch } from './guarded-fetch';
import { pageState, type PageState } from './page-state';
import { hostOf, isThisMachine, type Target } from './target';

export interface SilenceDependencies {
  readonly fetch?: Fetch;
  readonly page?: PageState;
  readonly permission?: () => Promise<PermissionState | null>;
}

/** The fault, and whether the user should check the address or the key. */
export interface Explanation {
  readonly about: 'address' | 'key';
  readonly fault: Fault;
}

/**
 * Explains why a call got no reply. Returns faults other than `unreachable` unchanged. Rejects on abort.
 * @param silence the call's fault
 */
export async function explainSilence(
  target: Target,
  silence: Fault,
  dependencies: SilenceDependencies,
  signal: AbortSignal,
): Promise<Explanation> {
  if (silence.code !== 'unreachable') return { about: 'address', fault: silence };
  const page = dependencies.page ?? pageState();
  const isHere = isThisMachine(target.baseUrl);
  const permission = isHere ? await (dependencies.permission ?? localNetworkPermission)() : null;
  if (permission === 'denied') return address(networkForbidden(target));
  if (!(await isThere(target, dependencies.fetch ?? ((url, init) => fetch(url, init)), signal)))
    return address(isHere ? notRunning(target, page) : notThere(target));
  if (target.preset.hidesRefusals && target.key !== null) return { about: 'key', fault: keyHidden(target) };
  return address(refusesPages(target, page));
}

/** Whether a server replies. The request contains no key, and the page cannot read the reply. Rejects on abort. */
export async function isThere(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  inner: Fetch,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await inner(`${baseUrl}/models`, {
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/**
 * The names of the permission for a page to call this machine, in Chrome and Edge. Newer versions have a permission for this
 * machine alone. Older versions have a permission for the whole local network.
 */
const PERMISSIONS = ['loopback-network', 'local-network-access'];

async function localNetworkPermission(): Promise<PermissionState | null> {
  if (typeof navigator === 'undefined' || !('permissions' in navigator)) return null;
  for (const name of PERMISSIONS) {
    try {
      return (await navigator.permissions.query({ name } as PermissionDescriptor)).state;
    } catch {
      // This browser has no permission of that name.
    }
  }
  return null;
}

function address(fault: Fault): Explanation {
  return { about: 'address', fault };
}

function networkForbidden({ baseUrl }: Target): Fault {
  const message = `The browser blocks calls from this page to ${hostOf(baseUrl)}. Open the site settings next to the page’s address, allow access to the local network, and test again.`;
  return fault('unreachable', message, { retryable: true });
}

function notRunning({ baseUrl, preset }: Target, page: PageState): Fault {
  const name = preset.baseUrl === '' ? 'the server' : preset.label;
  const safari = page.secure
    ? ' Safari never lets an https page call this machine. Use another browser, or open Podium from http://localhost.'
    : '';
  const message = `No answer from ${hostOf(baseUrl)}. Is the server running? Start ${name} and check the port. If the browser asks whether this page may reach the local network, allow it.${safari}`;
  return fault('unreachable', message, { retryable: true });
}

function notThere({ baseUrl }: Target): Fault {
  const message = `Couldn’t reach ${hostOf(baseUrl)}. It doesn’t exist, is down, or is blocked, for example by a firewall or an extension. Check the address.`;
  return fault('unreachable', message, { retryable: true });
}

function keyHidden({ preset, baseUrl }: Target): Fault {
  const from = preset.key.from === null ? '' : ` New keys: ${preset.key.from}`;
  const message = `${hostOf(baseUrl)} answers, but the page can’t read the reply. ${preset.label} does this when it refuses a key. Enter the key again, or create a new one.${from}`;
  return fault('unauthorized', message);
}

function refusesPages(target: Target, page: PageState): Fault {
  const host = hostOf(target.baseUrl);
  const fix =
    target.preset.allowPage !== null || isThisMachine(target.baseUrl)
      ? allowThisPage(target, page.origin)
      : 'Allow this page there, or reach the model through OpenRouter or a LiteLLM server of your own.';
  return fault('unreachable', `${host} answers, but doesn’t allow calls from this page (CORS). ${fix}`, {
    retryable: true,
  });
}
