/** @file Lazy-loads the HTTP client with the first call, so that a page with simulated workers alone never downloads it. */
import { loadOnce } from '../../core/contract';

export const loadSdk = loadOnce(() => import('./sdk'));
