import type { ComponentProps } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** Classes beside that of all buttons, e.g. `small quiet`. */
  look?: string
  testId?: string
  /** Does what it was pressed for, and nothing more until then; the focus stays on it. */
  busy?: boolean
}

/** A button with words on it. */
export function Button({ look, testId, busy = false, onClick, ...properties }: ButtonProps) {
  return (
    <button
      type="button"
      className={look ? `button ${look}` : 'button'}
      data-testid={testId}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      {...properties}
    />
  )
}
