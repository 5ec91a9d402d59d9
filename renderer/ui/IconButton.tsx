import { Icon, type IconName } from './Icon.tsx'

interface IconButtonProps {
  icon: IconName
  label: string
  /** Named in the tooltip, e.g. `Shift+Enter`. */
  keys?: string
  disabled?: boolean
  testId?: string
  onClick(): void
}

/** A button that is only a picture; its label is read out and shown as a tooltip. */
export function IconButton({ icon, label, keys, disabled, testId, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      disabled={disabled}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
