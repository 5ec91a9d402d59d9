/** What a kernel can be asked of stored runs; one script, which the kernel loads when it is first asked. */
export { needsCells } from '../../../engine/study/recreate/rebuild.ts'
export { ablationOf, answerOf, explanationOf, measureOn } from './answer.ts'
export { examplesOf } from './examples.ts'
