// %% [markdown] question
// # Does a small attention help gMLP to find the answer to a question in a passage?
//
// Whoever answers from a passage has to find there what the question speaks of. A gMLP mixes words by where they stand,
// whatever they say. Attention can compare words, and table 6 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) has
// its largest differences there: aMLP, which is gMLP with one small attention, has an F1 of 90.7 on SQuAD 1.1, where gMLP has
// 86.7. On SQuAD 2.0, where a third of the questions have no answer in the passage, it is 80.9 against 70.1. These models
// were trained on masked words first.
//
// Here nothing is trained first. Stories of 3 or 4 sentences, which the bundled `world` makes at its easiest, come with a
// question for who, what, where or when: all with an answer in the story (*answered*), or a third without (*a third
// unanswerable*). F1 counts the words that the span given and the right one share. Three models are compared, each with three
// blocks of 32 channels and equal parameters within 0.5%, 37,300: *gmlp*; *amlp*, with an attention of 32 channels beside the
// gate; and *matching*, an aMLP which does not have to learn what to compare, as its queries are its keys: there a word attends
// to equal words from the first step on; what a word gives to itself is taken off again. All three have words marked as question
// or passage.
//
// The plan. It is asked by F1 on test stories whether amlp and matching are better than gmlp, with and without the unanswerable
// third. A difference of 2 points is the smallest that matters, half of the smaller one in the paper. Answered questions are
// trained for 500 steps, those with an unanswerable third for 700. Each model has the learning rate that is better for it by
// validation with seeds 1001 and 1002, of 3e-3 and 6e-3; 1.2e-2 gave matching less, 0.84, and the others 0.52 each, in a trial
// with one other seed. The spread is that of these two seeds, 6.8 and 7.4 points on answered questions, since gmlp differs by
// when it begins to learn, and 2.7 and 0.4 with the unanswerable third. Two seeds tell it badly: it may well be one and a half
// times as large. Two comparisons need 7 seeds, which are taken; they show a difference of 2 points with a power of 0.04
// and 0.03 on answered questions and of 0.15 and 1.00 on the others even if the spread is as in the pilot. On answered questions
// large differences alone can be shown. No test accuracy of the pilot's seeds was looked at.
//
// What was tried before, with seeds 501 to 531. A word drawn from those of the kind asked for which the question does not have
// is right on 0.64 of the answered questions; to say that there is no answer is right on a third of the others. After 1,500
// steps amlp had an F1 of 0.52 and gmlp of 0.69 on answered questions, and amlp of 0.37 with an unanswerable third. After 2,000
// steps BERT had 0.53, without comparing words, and is left out. matching had 0.90 after 400 steps on answered questions, and
// 0.67 after 1,000 with an unanswerable third: a model of this size can learn the task. So that amlp is better is what the paper
// says and not what the trials made likely.
//
// Press **Run all**, or Shift-Enter in each cell. Then give the queries of `matching` a layer of their own, or leave out the
// `sub`, and run again. On the command line: `mixlab run amlp-span.ts`, with `--quick` for a first look. About twelve minutes on
// two cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | answered: amlp | F1 90.7 against 86.7 | 0.47 against 0.50, difference -0.03 (-0.06 to 0.01), 7 seeds | **open** | margin 0.02; power 0.04, to be equal 0.00 |
// | answered: matching | not tried | 0.83 against 0.50, difference 0.33 (0.17 to 0.39), 7 seeds | **found** | margin 0.02; power 0.03, to be equal 0.00 |
// | a third unanswerable: amlp | F1 80.9 against 70.1 | 0.358 against 0.350, difference 0.008 (-0.001 to 0.017), 7 seeds | **open** | margin 0.02; power 0.16, to be equal 0.07 |
// | a third unanswerable: matching | not tried | 0.661 against 0.350, difference 0.310 (0.292 to 0.329), 7 seeds | **found** | margin 0.02; power 1.00, to be equal 1.00 |
//
// | answered | test/f1, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.50 ± 0.03 | 7 |  |
// | amlp | 0.47 ± 0.06 | 7 | amlp is not better than gmlp by more than 2 points: -2.7 points, 95% interval -6.1 to 0.7, better on 2 of 7 seeds; about 41 more seeds would settle a difference of this size; amlp at lr 0.003, gmlp at lr 0.006, each the best of 0.003, 0.006 on validation with seeds 1001 and 1002; lr 0.003 and lr 0.006 are at the ends of their values, and better ones may lie beyond; tuning took 12 runs, the report 21 |
// | matching | 0.83 ± 0.13 | 7 | matching is better than gmlp by 32.7 points, 95% interval 16.7 to 39.0, 7 of 7 seeds; matching at lr 0.006, gmlp at lr 0.006, each the best of 0.003, 0.006 on validation with seeds 1001 and 1002; lr 0.006 is at the end of its values, and a better one may lie beyond; tuning took 12 runs, the report 21 |
//
// | a third unanswerable | test/f1, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.350 ± 0.010 | 7 |  |
// | amlp | 0.358 ± 0.005 | 7 | amlp is not worse than gmlp by more than 2 points: +0.8 points, 95% interval -0.1 to 1.7, better on 4 of 7 seeds; about 13 more seeds would show it equal; amlp at lr 0.003, gmlp at lr 0.006, each the best of 0.003, 0.006 on validation with seeds 1001 and 1002; lr 0.003 and lr 0.006 are at the ends of their values, and better ones may lie beyond; tuning took 12 runs, the report 21 |
// | matching | 0.661 ± 0.021 | 7 | matching is better than gmlp by 31.0 points, 95% interval 29.2 to 32.9, 7 of 7 seeds; matching at lr 0.003, gmlp at lr 0.006, each the best of 0.003, 0.006 on validation with seeds 1001 and 1002; lr 0.003 and lr 0.006 are at the ends of their values, and better ones may lie beyond; tuning took 12 runs, the report 21 |

// %% stem
import { add, embedding, normal, stem, zerosLike } from 'mixlab'

/** Words, and a small vector that tells question from passage: equal words stay alike in both. */
const segmented = stem('segmented', (ids, { dim }, vocabulary, { types }) => {
  const segments = embedding(types ?? zerosLike(ids), 2, dim, { name: 'segments', weight: normal(0.025) })
  return add(embedding(ids, vocabulary, dim, { name: 'embed', weight: normal(0.1) }), segments)
})

// %% block
import { attend, block, dense, gelu, layerNorm, nearZero, residual, scope, spatialGating, sub } from 'mixlab'

/**
 * aMLP whose attention has its queries for keys, so that a word attends to equal words from the first step on; what it gives
 * of the word itself is taken off again.
 */
const matching = block('matching', { width: 32 }, (x, { dim, ffn, width }) => {
  const y = layerNorm(x)
  const plus = scope('tiny_attn', 'tiny_attn', () => {
    const words = dense(y, width, { name: 'words' })
    const values = dense(y, width, { name: 'values' })
    return dense(sub(attend([words, words], values), values), ffn / 2, { name: 'out' })
  })
  const hidden = gelu(dense(y, ffn, { name: 'mlp_channels.fc1', bias: nearZero }))
  const gated = spatialGating(hidden, { name: 'mlp_channels.gate', spatial: 'toeplitz', plus })
  return residual(x, dense(gated, dim, { name: 'mlp_channels.fc2', bias: nearZero }))
})

// %% studies
import { adamw, amlp, compare, gmlp, span, tuned, world } from 'mixlab'

const stories = (unanswerable: boolean, train?: number) =>
  span({
    data: world({ difficulty: 0, validation: 0.03, unanswerable, ...(train && { train }) }),
    ...{ tokens: 56, question: 14 },
  })

const ask = (name: string, unanswerable: boolean, steps: number) =>
  compare(name, {
    task: stories(unanswerable),
    model: { dim: 32, depth: 3, stem: segmented },
    variants: {
      gmlp: gmlp({ ffn: 184 }),
      amlp: amlp({ ffn: 90, attention: 32 }),
      matching: matching({ ffn: 106 }),
    },
    tune: tuned(
      { lr: [3e-3, 6e-3] },
      ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr, weightDecay: 0.01 }) } }),
      { seeds: 2 },
    ),
    metric: 'test/f1',
    margin: 0.02,
    train: { steps, batch: 32, warmup: 50, evalEvery: steps },
    seeds: 7,
    quick: { task: stories(unanswerable, 1000), train: { steps: 20 }, seeds: 1 },
  })

export const answered = ask('answered', false, 500)
export const unanswerable = ask('a third unanswerable', true, 700)

// %% claim
import { claim } from 'mixlab'

const against = (study: typeof answered, figures: string, spreads: Record<'amlp' | 'matching', number>) => [
  { study, of: 'amlp', expected: 'better' as const, figures, spread: spreads.amlp },
  { study, of: 'matching', expected: 'better' as const, figures: 'not tried', spread: spreads.matching },
]

export const claimed = claim({
  paper: 'gmlp',
  where: 'table 6',
  pilot: [1001, 1002],
  minutes: 12,
  parts: [
    ...against(answered, 'F1 90.7 against 86.7', { amlp: 0.068, matching: 0.074 }),
    ...against(unanswerable, 'F1 80.9 against 70.1', { amlp: 0.027, matching: 0.0036 }),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// An attention beside the gate is worth 30 points where it compares words; of one that has yet to learn this, no gain is shown.
// *matching* is better than gMLP by 33 points on answered questions and by 31 with an unanswerable third, on each of seven
// seeds. aMLP as in the paper is 3 points behind gMLP on answered questions and 1 ahead with an unanswerable third. Both are
// open: it is not better by more than 2 points on the former, and not worse by more than 2 on the latter.
//
// gMLP and aMLP have not come to compare the question with the story. On answered questions their F1 is 0.50 and 0.47, less than
// a guess among the words of the kind asked for has, which is right on 0.64; with an unanswerable third it is 0.35 and 0.36,
// where to say that there is no answer has 0.33. So the two are compared before they can do what the claim is about. It is the
// comparing of words that is missing: *matching* is an aMLP with as many parameters. It differs in that its queries are its
// keys, and that what a word gives to itself is taken off; which of these does it was not tried. On answered questions one of
// its seven seeds stayed at the level of the other models, 0.54 on validation, whence the spread there.
//
// The paper's models learn masked words first, for 125 thousand steps, in which attention may well learn to find equal words. A
// training of 500 or 700 steps has no time for that, and one of 1,500 had not in the trial. With so much training gMLP may learn
// to compare words without attention, too, so that 4 and 11 points are left of 30. And the attention here is as wide as the
// model, 32 channels, where that of the paper has a twelfth of the width.
//
// Of two rates each chosen one lies at an end. In the trial at 1.2e-2 gMLP and aMLP had 0.52 on answered questions, which may be
// some points more, but is far from what *matching* has. Masked words before the questions, and passages that people wrote, were
// not tried, and BERT in a trial alone.
