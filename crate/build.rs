// Tells the linker which archive of this crate to take. Targets that are not wasm32 have the system's allocator.

fn main() {
    println!("cargo:rerun-if-changed=lib");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("wasm32") {
        return;
    }
    let has = |feature: &str| std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let profile = match (has("TRACE"), has("SMALL")) {
        (true, _) => "trace",
        (false, true) => "small",
        (false, false) => "freestanding",
    };
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    println!("cargo:rustc-link-search=native={folder}/lib");
    println!("cargo:rustc-link-lib=static=heapglass-malloc-{profile}");
}
