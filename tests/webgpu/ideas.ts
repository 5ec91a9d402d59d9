import { checkModel } from '../../engine/conformance/model.ts'
import { builtOf, caseOf, ideas, small } from '../experiments/gallery/ideas.ts'
import { sample } from '../long.ts'
import { differing } from './compare.ts'
import { trained } from './training.ts'

/** Some ideas of the gallery, with MIXLAB_LONG=1 all, as programs: their reference cases, and a short training as on simd. */
export async function galleryIdeas(): Promise<string[]> {
  const lines: string[] = []
  for (const idea of sample(ideas)) {
    const wanted = await trained('simd', small(idea))
    const own = await trained('webgpu', small(idea))
    const golden = caseOf(idea.name)
    const checks = await checkModel(golden, builtOf(idea, golden))
    const far = checks.filter(({ error, tolerance }) => !(error <= tolerance))
    const most = Math.max(...checks.map(({ error }) => error)).toExponential(1)
    lines.push(`${idea.name}: ${checks.length} tensors of PyTorch, at most ${most} away`)
    lines.push(...far.map(({ tensor, error }) => `FAILED: ${tensor} of ${idea.name} is ${error} away`))
    lines.push(...differing(own, wanted, 2e-5).map((line) => `${line}, in the training of ${idea.name}`))
  }
  return lines
}
