import { it } from 'vitest';
import { defaultDevice, init } from '@jax-js/jax';
import { Learner } from '../src/core/training/learner';
import { drawItem, playSkeleton, rewardOf } from '../src/core/training/environment';
import { isGrammatical } from '../src/core/policy';
import { DEFAULT_LOSS } from '../src/core/training/grpo';
import { smallSociety } from './core/training/society';
it('x', async () => {
  await init('wasm'); defaultDevice('wasm');
  const s = smallSociety();
  const items = Array.from({length:64},(_,i)=>drawItem(s,{seed:1,index:i,recursion:0.3}));
  const l = new Learner({seed:1, group:16});
  let t=performance.now(); const lap=(n: string)=>{const d=performance.now()-t; console.log(n,d.toFixed(0),'ms'); t=performance.now();};
  for (let u=0;u<12;u++) {
    const b = items.slice((u%2)*32,(u%2)*32+32); t=performance.now();
    const d = await l.draw(b.map(i=>i.input), 0.04); lap('draw');
    const rewards = Float32Array.from(d.skeletons.map((sk,i)=>{ const it=b[Math.floor(i/16)]!; if(!isGrammatical(sk,it.input.limits)) throw new Error(JSON.stringify([sk,it.input.limits])); const p=playSkeleton(it,sk); return rewardOf(p.correct,p.calls);})); lap('play');
    const p = await l.learn(d, rewards, {settings: DEFAULT_LOSS, learningRate: 2e-3, entropy: 0.01}); lap('learn');
    console.log(rewards.reduce((a,b)=>a+b)/512, p, d.skeletons[0]);
  }
}, 200000);
