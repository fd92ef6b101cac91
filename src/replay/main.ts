/** @file Starts the viewer inside an exported HTML file. It works from `file://`, without network, storage or Web Workers. */
import { mount } from 'svelte';
import '../app/ui/style/tokens.css';
import '../app/ui/style/base.css';
import { REPLAY_ROOT } from '../core/contract';
import Viewer from './Viewer.svelte';

const target = document.getElementById(REPLAY_ROOT);
if (!target) throw new Error(`The file has no #${REPLAY_ROOT} element.`);
mount(Viewer, { target });
