import { useEffect } from 'react'
import { create } from 'zustand'
import { messageOf } from '../../engine/errors.ts'
import { baselineOf } from '../../engine/study/baseline.ts'
import { host } from '../host/state.ts'
import type { StudyView } from '../protocol/study.ts'
import { notify } from '../ui/notices.ts'

/** The variants that the user has pinned as baselines, by study. */
const useBaselines = create<{ pinned: Record<string, string> }>(() => ({ pinned: {} }))

/** What the variants of a study are compared to now. */
export function useBaseline({ study, variants }: StudyView): string {
  const pinned = useBaselines((state) => state.pinned)
  useEffect(() => void read(), []) // it may have been pinned on another page
  return baselineOf(study, variants, pinned)
}

/** Compares the variants of a study to this one from now on. */
export async function pinBaseline({ study, variants }: StudyView, variant: string): Promise<void> {
  try {
    await host().pinBaseline(study, variant === variants[0] ? null : variant)
    await read()
  } catch (error) {
    notify({ tone: 'bad', text: `The baseline was not pinned: ${messageOf(error)}` })
  }
}

async function read(): Promise<void> {
  useBaselines.setState({ pinned: await host().baselines() })
}
