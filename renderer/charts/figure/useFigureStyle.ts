import { useMemo } from 'react'
import { useTheme } from '../../ui/theme.ts'
import type { FigureStyle } from './figure.ts'
import { figureStyle } from './style.ts'

/** The figure style of the page, another one when the theme changes. */
export function useFigureStyle(): FigureStyle {
  const dark = useTheme((state) => state.dark)
  return useMemo(() => ({ dark, ...figureStyle() }), [dark]) // the colours that the page has with `dark`
}
