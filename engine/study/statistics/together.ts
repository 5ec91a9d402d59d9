import type { StudyDesign } from '../../records/design.ts'

/** How many studies were planned together with one, itself among them. */
export function studiesWith({ together }: Pick<StudyDesign, 'together'> = {}): number {
  return together?.length ?? 1
}

/** What is said of a correction for several studies, if there are several. */
export function togetherText(design?: Pick<StudyDesign, 'together'>): string[] {
  const studies = studiesWith(design)
  return studies > 1 ? [`corrected for ${studies} studies together`] : []
}
