// Tells the linker where the archive is: in $HEAPGLASS_LIB.
fn main() {
    println!("cargo:rerun-if-env-changed=HEAPGLASS_LIB");
    let folder = std::env::var("HEAPGLASS_LIB").expect("HEAPGLASS_LIB: the folder that npx heapglass --lib-dir prints");
    println!("cargo:rerun-if-changed={folder}/libheapglass-malloc-freestanding.a");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=static=heapglass-malloc-freestanding");
}
