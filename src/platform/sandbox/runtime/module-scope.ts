/**
 * @file Comes before Pyodide, which refuses to load in a classic worker and finds out by calling `importScripts`. The policy
 * would refuse that call too, but not without a report in the console; and nobody in here needs it.
 */
import { takeFromScope } from './limits';

takeFromScope('importScripts');
