/** @file The worker that WebLLM runs in, away from the page: a module of its own, started when a model is loaded. */
import { launch } from './launch';
import { serve } from './serve';

serve(self, launch);
