import { expect, it } from 'vitest'
import { fault, type TrainingProof, trainingText } from '../../../engine/export/trainingProof.ts'

const fine: TrainingProof = {
  ...{ examples: 8, masks: 0, output: 1e-6, loss: 1e-7, step: 1e-7 },
  gradient: { name: 'head.bias', share: 1e-6 },
  ...{ statistic: null, rounding: [] },
  initial: { others: [], all: 9 },
  differences: { difference: 1e-6, wrong: null, unjudged: null },
  lines: {},
}
const safetensors = 'export the tensors alone, as safetensors'
const ofModule = `the module is at fault, not the run: ${safetensors}`
const ofRun = `an operation after this tensor has a wrong gradient, and the run was trained with it. Write that operation otherwise and train again, or ${safetensors}`
const far = { gradient: { name: 'blocks.0.fc1.weight', share: 0.4567 }, lines: { 'blocks.0.fc1.weight': 'mine:7' } }
const farText =
  'the gradient of blocks.0.fc1.weight (mine:7) differs from that of the model in training by 46% on 8 examples, expected at most 0.1% of its largest entry'
const wrong = { name: 'blocks.0.fc1.weight', off: 0.981 }

it.each<[string, Partial<TrainingProof>, string | null]>([
  ['nothing', {}, null],
  [
    'starts',
    { initial: { others: ['a', 'b', 'c', 'd'], all: 9 } },
    `4 of 9 tensors start from other values than in the model: a, b and 2 more; ${ofModule}`,
  ],
  [
    'logits',
    { output: 0.01234 },
    `a logit differs from that of the model in training by 0.012 on 8 examples, expected at most 1.0e-4; ${ofModule}`,
  ],
  ['a loss that is no number', { loss: Number.NaN }, 'the loss differs from that of the model in training by NaN'],
  [
    'a statistic',
    { statistic: { name: 'bn.running_mean', share: 0.02 } },
    `the statistic bn.running_mean differs from that of the model in training by 2% on 8 examples, expected at most 0.01% of its largest entry; ${ofModule}`,
  ],
  ['the gradient of the model', far, `${farText}; central differences say that of the module is right: ${ofRun}`],
  ['the gradient of the module', { ...far, differences: { ...fine.differences, wrong } }, `${farText}; ${ofModule}`],
  [
    'a gradient that cannot be judged',
    { ...far, differences: { ...fine.differences, unjudged: 'why' } },
    `${farText}, and central differences could not say which is wrong; ${safetensors}`,
  ],
  [
    'the gradient of both',
    { lines: far.lines, differences: { ...fine.differences, wrong } },
    `the gradient of blocks.0.fc1.weight (mine:7) is off by 98% of what central differences give: ${ofRun}`,
  ],
])('a refusal says what is wrong, how far, and what to do: %s', (_, found, text) => {
  const said = fault({ ...fine, ...found })
  if (text === null) expect(said).toBeNull()
  else expect(said).toContain(text)
})

it('a proof says what was not compared, and what was not judged', () => {
  expect(trainingText({ ...fine, rounding: ['a.bias'] })).toContain(
    '; gradients that are zero but for rounding were not compared: a.bias; central differences in double precision give the same slope along a random direction, up to 1.0e-6 of it',
  )
  const differences = { ...fine.differences, unjudged: 'in double precision the logits are not finite' }
  expect(trainingText({ ...fine, differences })).toMatch(
    /; central differences could not judge the gradient: in double precision the logits are not finite$/,
  )
})
