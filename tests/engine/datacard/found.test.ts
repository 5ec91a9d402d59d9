import { expect, it } from 'vitest'
import { dataInWorkspace, generatedData, tasksReading } from '../../../engine/datacard/found.ts'
import { memoryFiles } from '../data/memory-files.ts'

it('reads what lies in the workspace by what it looks like', async () => {
  const files = memoryFiles({
    'data/mnist/train-images-idx3-ubyte.gz': '',
    'data/digits/train-images-idx3-ubyte': '',
    'data/small/data_batch_1.bin': '',
    'data/birds/train/owl/1.png': '',
    'data/chairs/stool/train/1.off': '',
    'data/questions/train-v2.0.json': '',
    'data/reviews/train.tsv': 'sentence\tlabel\na\t1\n',
    'data/rte/train.tsv': 'index\tsentence1\tsentence2\tlabel\n',
    'data/odd/train.tsv': 'x\ty\n',
    'data/book.txt': '',
    'data/notes/a.txt': '',
    'data/what/a.bin': '',
    'data/.hidden': '',
  })
  const found = (await dataInWorkspace(files)).map(({ path, expression, task }) => [path.slice(5), expression, task])
  expect(found).toEqual([
    ['birds', "folder({ path: 'data/birds' })", 'image'],
    ['book.txt', "textFiles({ path: 'data/book.txt' })", 'mlm'],
    ['chairs', "pointFiles({ path: 'data/chairs' })", 'points'],
    ['digits', "idx({ path: 'data/digits' })", 'image'],
    ['mnist', 'mnist', 'image'],
    ['notes', "textFiles({ path: 'data/notes' })", 'mlm'],
    ['odd', '', ''],
    ['questions', "squad({ path: 'data/questions' })", 'span'],
    ['reviews', "tsv({ path: 'data/reviews', columns: { first: 'sentence', label: 'label' } })", 'sequence'],
    ['rte', "tsv({ path: 'data/rte', columns: { first: 'sentence1', second: 'sentence2', label: 'label' } })", 'pair'],
    ['small', "cifar({ path: 'data/small' })", 'image'],
    ['what', '', ''],
  ])
  expect(await dataInWorkspace(memoryFiles({}))).toEqual([])
})

it('lists the generated data sets, each for every sort of them', () => {
  expect(generatedData().map(({ expression, task }) => `${expression} ${task}`)).toEqual([
    ...['glyphs() image', 'shapes() image', 'textures() image', 'solids() points'],
    ...['world() sequence', 'world() pair', 'world() span', 'world() mlm'],
    ...['scenes() segment', 'seasons() forecast', 'discs() regression'],
  ])
})

it('says which tasks read a data set', () => {
  expect(tasksReading('world({ train: 9 })')).toEqual(['sequence', 'pair', 'span', 'mlm', 'clm'])
  expect(tasksReading('shapes')).toEqual(['image'])
  expect([tasksReading('shapes({ sise: 3 })'), tasksReading('no name')]).toEqual([[], []])
})
