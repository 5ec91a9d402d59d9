import { useMemo } from 'react'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import { useTheme } from '../ui/theme.ts'
import { figureStyle } from './style.ts'

/** The figure style of the page, another one when the theme changes. */
export function useFigureStyle(): FigureStyle {
  const dark = useTheme((state) => state.dark)
  return useMemo(() => ({ dark, ...figureStyle() }), [dark]) // the colours that the page has with `dark`
}
