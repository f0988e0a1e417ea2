module hasten.interop/go

go 1.27

toolchain go1.27.1
