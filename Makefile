# SPDX-License-Identifier: Apache-2.0
#
# Names for the usual commands; CMakePresets.json has the builds themselves.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 10

.PHONY: all release dev demo test fuzz bench install setup format clean

all: release

release:
	cmake --preset release
	cmake --build --preset release --target vxc vx
	ln -sfn release/vxc build/vxc

dev:
	cmake --preset dev
	cmake --build --preset dev

# The checker refuses examples/tile.vx (exit status 1) and routes the smaller.
demo:
	tools/setup build
	$(MAKE) release
	tools/demo

# The release build too: check-globals reads its library.
test:
	tools/setup test
	$(MAKE) release dev
	tests/run build/dev

fuzz:
	tools/setup test
	cmake --preset fuzz
	cmake --build --preset fuzz
	tools/fuzz build/fuzz $(FUZZ_SECONDS)

bench: release
	bench/run build/vxc

install: release
	cmake --install build/release --prefix "$(PREFIX)"

setup:
	tools/setup test

format:
	find src tests tools bench -name '*.[ch]' | xargs clang-format -i

clean:
	rm -rf build
