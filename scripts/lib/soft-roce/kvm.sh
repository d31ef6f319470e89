# Whether KVM truly runs a guest here. /dev/kvm alone proves nothing: some virtual machines offer one on which an ordinary
# guest kernel hangs.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

kvm_offered() { [[ (-e /sys/module/kvm_intel || -e /sys/module/kvm_amd) && -r /dev/kvm && -w /dev/kvm ]]; }

# The answer of one short boot is remembered for each boot of this machine.
kvm_works() {
  local answer
  kvm_offered && qemu_possible || return 1
  answer=$cache/qemu/kvm-$(</proc/sys/kernel/random/boot_id)
  if [[ ! -e $answer ]]; then
    qemu_image >/dev/null && have qemu-system-x86_64 || return 2   # not known yet
    if probe_kvm; then echo yes >"$answer"; else echo no >"$answer"; fi
  fi
  [[ $(<"$answer") == yes ]]
}

probe_kvm() {
  local qemu kernel_words image
  qemu_base kvm
  timeout -k 1 15 "${qemu[@]}" -m 256 -serial stdio -append "$kernel_words quiet soft_roce_probe=1" </dev/null 2>&1 |
    grep -q 'soft-roce probe: alive'
}

choose_accelerator() {
  accelerator=tcg
  if kvm_works; then accelerator=kvm; fi
}
